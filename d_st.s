	.text
	.global _start
_start:	alloc r32=ar.pfs,0,3,3,0
	movl r14=0x4000000000000000 ;; st8 [r14]=r0
	;;
	mov r15=1025
	mov r35=r0 ;;
	break 0x100000 ;;
