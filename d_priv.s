	.text
	.global _start
_start:	alloc r32=ar.pfs,0,3,3,0
	mov r2=psr
	;;
	mov r15=1025
	mov r35=r0 ;;
	break 0x100000 ;;
