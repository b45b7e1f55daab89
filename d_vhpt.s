	.text
	.global _start
_start:	alloc r32=ar.pfs,0,3,3,0
	movl r14=0x7ffc000000000000 ;; ld8 r2=[r14]
	;;
	mov r15=1025
	mov r35=r0 ;;
	break 0x100000 ;;
