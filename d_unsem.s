	.text
	.global _start
_start:	alloc r32=ar.pfs,0,3,3,0
	adds r14=1,r12 ;; xchg8 r2=[r14],r3
	;;
	mov r15=1025
	mov r35=r0 ;;
	break 0x100000 ;;
